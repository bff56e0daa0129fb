"""What a program writes to a terminal, as a page that looks like one."""

import fcntl
import html
import os
import pty
import re
import struct
import subprocess
import termios

CODES = re.compile(r"\x1b\[([\d;]*)m")

STYLE = """
body { margin: 0; display: flex; gap: 24px; align-items: stretch; padding: 32px; width: 1360px; height: 720px; box-sizing: border-box;
  background: #e2e0da; font-family: "DejaVu Sans", sans-serif; }
.window { border-radius: 12px; overflow: hidden; background: #14181d; box-shadow: 0 2px 8px rgb(0 0 0 / 20%); display: flex; flex-direction: column; }
.bar { flex: none; height: 30px; display: flex; gap: 7px; align-items: center; padding-left: 13px; background: #20262d; }
.bar i { width: 10px; height: 10px; border-radius: 50%; background: #4a535d; }
.terminal { flex: none; width: 500px; }
.page { flex: 1; } .page .bar { background: #e4e4e4; } .page .bar i { background: #c3c3c3; }
.page img { display: block; width: 100%; }
pre { margin: 0; padding: 16px 18px; color: #d8dee4; font: 12px/1.5 "DejaVu Sans Mono", monospace; }
.prompt { color: #7fb0d8; }
"""


def run(arguments, environment, columns=62, rows=40):
    """What a program writes when its output is a terminal of that size."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    program = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=its, stderr=its, env=environment)
    os.close(its)
    written = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end is closed.
            break
        if not part:
            break
        written += part
    os.close(ours)
    if program.wait():
        raise SystemExit(f"{arguments}: {written.decode()}")
    return written.decode().replace("\r\n", "\n")


def style(codes, now):
    """The style after some codes of a terminal."""
    numbers = [int(code or 0) for code in codes.split(";")]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            now = {}
        elif code == 1:
            now = {**now, "font-weight": "bold"}
        elif code == 2:
            now = {**now, "opacity": "0.65"}
        elif code in (30, 97):
            now = {**now, "color": "#000" if code == 30 else "#fff"}
        elif code in (38, 48) and numbers[:1] == [2]:
            red, green, blue = numbers[1:4]
            now = {**now, "color" if code == 38 else "background": f"rgb({red},{green},{blue})"}
            numbers = numbers[4:]
    return now


def markup(text):
    """The same text as HTML."""
    parts = CODES.split(text)
    now, made = {}, [html.escape(parts[0])]
    for codes, piece in zip(parts[1::2], parts[2::2]):
        now = style(codes, now)
        css = ";".join(f"{name}:{value}" for name, value in now.items())
        made.append(f'<span style="{css}">{html.escape(piece)}</span>' if piece else "")
    return "".join(made)


def scene(lines, picture):
    """A terminal beside a picture of the page, in base64."""
    bar = '<div class="bar"><i></i><i></i><i></i></div>'
    text = "".join(f'<span class="prompt">$ {html.escape(command)}</span>\n{markup(output)}\n' for command, output in lines)
    return (f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style>'
            f'<div class="window terminal">{bar}<pre>{text}</pre></div>'
            f'<div class="window page">{bar}<img src="data:image/png;base64,{picture}"></div>')
