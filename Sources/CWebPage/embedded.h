/* An element of the list of files: the file that the macro FILE names. It is included once for each file, so it
   has no guard; `#embed` stands in no macro, and counts no bytes, so it stands here twice. */
{&FILE[sizeof "files" - 1],
 (const unsigned char[]){
#embed FILE
 },
 sizeof((const unsigned char[]){
#embed FILE
 })},
#undef FILE
