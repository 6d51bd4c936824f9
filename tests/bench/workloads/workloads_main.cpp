// voxpath_workloads FILE WORLDS [WORKLOAD]...: measures the workloads W8 to W14 (or those named) and writes a row of figures for each case
// to FILE. WORLDS is the folder of the real worlds; where it is none, W8 is left out.
#include "tests/bench/workloads/workloads.hpp"

#include <cstdio>
#include <exception>
#include <functional>
#include <set>
#include <string>
#include <utility>

int main(int argc, char** argv) {
  using voxpath::bench::Figures;
  if (argc < 3) {
    std::fputs("usage: voxpath_workloads FILE WORLDS [W8|W9|W10|W11|W12|W13|W14]...\n", stderr);
    return 2;
  }
  try {
    const std::string worlds = argv[2];
    const std::vector<std::pair<std::string, std::function<void(Figures&)>>> all{
        {"W8",
         [&](Figures& figures) { voxpath::bench::measure_real_worlds(figures, worlds, VOXPATH_REFERENCE_TABLES); }},
        {"W9", voxpath::bench::measure_hordes},
        {"W10", voxpath::bench::measure_edits},
        {"W11", voxpath::bench::measure_long_way},
        {"W12", voxpath::bench::measure_caves},
        {"W13", voxpath::bench::measure_replanning},
        {"W14", voxpath::bench::measure_scale}};
    const std::set<std::string> wanted(argv + 3, argv + argc);
    Figures figures;
    for (const auto& [name, measure] : all) {
      if (wanted.empty() || wanted.contains(name)) measure(figures);
    }
    figures.write(argv[1]);
  } catch (const std::exception& fault) {
    std::fprintf(stderr, "voxpath_workloads: %s\n", fault.what());
    return 1;
  }
}
