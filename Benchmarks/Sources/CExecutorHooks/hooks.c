#include "hooks.h"
