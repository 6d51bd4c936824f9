#include "pathfinding/search.hpp"
#include "server/config.hpp"
#include "../protocol/frame.hpp"
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast.hpp>
#include <chrono>
#include <condition_variable>
#include <google/protobuf/message.h>
# include <sys/socket.h>
#include <thread>
