"""Runs a command in a pseudo terminal: pseudo-terminal.py COLUMNS ROWS COMMAND...

Standard input is typed, standard output is the screen. A NUL byte, then `COLUMNS ROWS` and a line
break, changes the size. The exit code is that of the command. Standard error receives `changed` if
the command leaves the modes of the terminal changed.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def type_text(terminal, text):
    while b"\0" in text:
        before, _, rest = text.partition(b"\0")
        size, _, text = rest.partition(b"\n")
        os.write(terminal, before)
        columns, rows = size.split()
        resize(terminal, int(columns), int(rows))
    os.write(terminal, text)


def main():
    columns, rows, *command = sys.argv[1:]
    child, terminal = pty.fork()
    if child == 0:
        resize(0, int(columns), int(rows))
        os.execvp(command[0], command)
    modes = termios.tcgetattr(terminal)
    sources = [0, terminal]
    while True:
        ready, _, _ = select.select(sources, [], [])
        if 0 in ready:
            text = os.read(0, 65536)
            if text:
                type_text(terminal, text)
            else:
                sources = [terminal]
        if terminal in ready:
            try:
                shown = os.read(terminal, 65536)
            except OSError:
                break
            if not shown:
                break
            os.write(1, shown)
    if termios.tcgetattr(terminal) != modes:
        os.write(2, b"changed")
    _, status = os.waitpid(child, 0)
    sys.exit(os.waitstatus_to_exitcode(status) % 256)


main()
