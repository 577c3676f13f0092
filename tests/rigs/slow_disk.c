/* slow_disk.so - LD_PRELOAD: a disk on which every sync and every change of a name takes long.  Milliseconds: SLOW_DISK.
 * cc -shared -fPIC -O2 -o slow_disk.so slow_disk.c -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void)
{
    const char *set = getenv("SLOW_DISK");
    long ms = set ? atol(set) : 0;
    struct timespec left = {ms / 1000, ms % 1000 * 1000000};
    while (ms > 0 && nanosleep(&left, &left) != 0) {
    }
}

#define SLOW(type, name, parameters, arguments)                 \
    type name parameters                                        \
    {                                                           \
        static type(*real) parameters;                          \
        if (!real)                                              \
            real = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
        wait_for_disk();                                        \
        return real arguments;                                  \
    }

SLOW(int, fsync, (int fd), (fd))
SLOW(int, fdatasync, (int fd), (fd))
SLOW(int, rename, (const char *from, const char *to), (from, to))
SLOW(int, unlink, (const char *path), (path))
SLOW(int, ftruncate, (int fd, off_t size), (fd, size))
SLOW(int, ftruncate64, (int fd, off64_t size), (fd, size))
