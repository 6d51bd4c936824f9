#include "server/serve.hpp"

int main(int argc, char** argv) { return voxpath::server::serve(argc, argv); }
