"""A program for --via: carries standard input and output to a TCP address, as nc would. Usage: relay.py HOST PORT"""

import os
import socket
import sys
import threading


def main(host: str, port: int) -> None:
    try:
        connection = socket.create_connection((host, port))
    except OSError as error:
        sys.exit(f"relay: cannot connect: {error.strerror}")

    def upward() -> None:
        while data := os.read(0, 65536):
            connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)

    threading.Thread(target=upward, daemon=True).start()
    while data := connection.recv(65536):
        os.write(1, data)


main(sys.argv[1], int(sys.argv[2]))
