#include "tests/judge/path_checker.hpp"

#include <fmt/format.h>

namespace voxpath::judge {
namespace {

std::string text(const ClaimedStep& step) {
  return fmt::format("({},{},{}) floor {} px", step.x, step.y, step.z, step.floor_px);
}

/// The node that the step claims, or what is wrong with the claim.
std::optional<Node> claimed_node(Ground& ground, const ClaimedStep& step, std::string& why) {
  const std::optional<Node> node = ground.node(step.x, step.y, step.z);
  if (!node) {
    why = fmt::format("there is no node at {}", text(step));
    return std::nullopt;
  }
  if (node->floor != step.floor_px) {
    why = fmt::format("the floor at {} is {} px", text(step), node->floor);
    return std::nullopt;
  }
  return node;
}

}  // namespace

ClaimedStep claim(const Step& step) {
  return {.x = step.node.x,
          .y = step.node.y,
          .z = step.node.z,
          .floor_px = step.node.floor,
          .kind = step.kind,
          .opens = step.kind.has_value() && step.node.opens};
}

PathVerdict check_path(Ground& ground, std::span<const ClaimedStep> path, std::span<const PricedBox> boxes) {
  PathVerdict verdict;
  if (path.empty()) {
    verdict.why = "the path has no steps";
    return verdict;
  }
  std::optional<Node> before;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const ClaimedStep& step = path[i];
    verdict.first_wrong = i;
    const std::optional<Node> node = claimed_node(ground, step, verdict.why);
    if (!node) return verdict;
    if (i == 0) {
      if (step.kind) verdict.why = "the start is said to be entered by a move";
      if (step.kind) return verdict;
      before = node;
      continue;
    }
    const Ruling ruling = rule(ground, *before, *node);
    if (!ruling.move) {
      verdict.why = fmt::format("no move from {} to {}: {}", text(path[i - 1]), text(step), ruling.why_not);
      return verdict;
    }
    if (step.kind != ruling.move->kind) {
      verdict.why = fmt::format("the move from {} to {} is a {}, not a {}", text(path[i - 1]), text(step),
                                name(ruling.move->kind), step.kind ? name(*step.kind) : "start");
      return verdict;
    }
    if (step.opens != node->opens) {
      verdict.why =
          fmt::format("the step to {} {} a door or gate", text(step), node->opens ? "opens" : "does not open");
      return verdict;
    }
    const std::optional<std::int64_t> more = surcharge(boxes, *node);
    if (!more) {
      verdict.why = fmt::format("the step to {} leads into a forbidden box", text(step));
      return verdict;
    }
    verdict.cost += ruling.move->cost + (ground.agent().metric == Metric::cost ? *more : 0);
    before = node;
  }
  return verdict;
}

}  // namespace voxpath::judge
