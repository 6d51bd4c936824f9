#include "pathfinding/search.hpp"
#include "world/snapshot.hpp"
#include "protocol/frame.hpp"
#include <mutex>
#include <ctime>
