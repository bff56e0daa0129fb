#ifndef CQRCODE_SHIM_H
#define CQRCODE_SHIM_H

#include <qrencode.h>

#endif
