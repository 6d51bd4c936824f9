#include "world/section.hpp"

#include <atomic>
#include <mutex>
#include <vector>
