#include "protocol/frame.hpp"
#include "world/result.hpp"
#include <google/protobuf/message_lite.h>
#include <future>
