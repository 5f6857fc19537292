/* Preloaded: refuses to load any library or native module, and writes its name into REFUSED_LIBRARIES. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *dlopen(const char *name, int mode) {
  if (name == NULL) {
    /* The program itself, which is loaded. */
    void *(*own)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return own(NULL, mode);
  }
  const char *list = getenv("REFUSED_LIBRARIES");
  int file = list == NULL ? -1 : open(list, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0 || write(file, name, strlen(name)) < 0 || write(file, "\n", 1) < 0) {
    abort();
  }
  close(file);
  return NULL;
}
