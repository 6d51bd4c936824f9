// The limits of the wire: every bound that a message, a connection or a server is held to, in one place.
// Thread-safety: constants.
// Invariant: the unit stands last in the name. A value equal to a `Max` is accepted, one more is refused with an error
// that names it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace voxpath::protocol {

inline constexpr std::uint32_t kProtocolVersion = 1;
inline constexpr char kMagic[] = "voxpath";
inline constexpr std::uint16_t kDefaultPort = 7420;

// Connections.
inline constexpr std::size_t kConnectionsMax = 256;
inline constexpr std::size_t kInFlightMax = 128;            // requests of a connection without their answer
inline constexpr std::int64_t kHandshakeTimeoutMs = 5'000;  // from accept to Hello
inline constexpr std::int64_t kIdleTimeoutMs = 30'000;      // silence before a Ping; as long again before the end
inline constexpr std::int64_t kUnreadTimeoutMs = 60'000;    // without the client reading anything of what waits for it
// Answers that wait for the client. Beyond this no further request of it is read, and no further path job begun.
inline constexpr std::size_t kOutboundPauseBytes = std::size_t{1} << 20;
// Beyond this it must read on within kUnreadFullTimeoutMs.
inline constexpr std::size_t kOutboundMaxBytes = std::size_t{8} << 20;
inline constexpr std::int64_t kUnreadFullTimeoutMs = 5'000;
inline constexpr std::size_t kAnswersExpectedMaxBytes =
    std::size_t{6} << 20;  // that requests in flight may come to; then no further request is read until one is answered

// Frames, without their length prefix.
inline constexpr std::size_t kHelloSizeMaxBytes = 4'096;
inline constexpr std::size_t kFrameSizeMaxBytes = std::size_t{1} << 20;
inline constexpr std::size_t kUploadSizeMaxBytes = std::size_t{4} << 20;  // frames with put_chunk or set_palette
inline constexpr std::size_t kLengthPrefixMaxBytes = 5;

// HTTP and WebSocket. Bodies and text frames are held to the limits of frames.
inline constexpr std::size_t kHttpConnectionsMax = 256;
inline constexpr std::size_t kHttpHeaderMaxBytes = 16'384;
inline constexpr std::size_t kHttpReadAheadMaxBytes = std::size_t{1}
                                                      << 16;  // of requests behind the one that is answered
inline constexpr std::int64_t kHttpHeaderTimeoutMs = 10'000;  // from a request's first byte to the end of its head
inline constexpr std::int64_t kHttpBodyTimeoutMs = 30'000;    // from there to the end of its body
inline constexpr std::int64_t kHttpIdleTimeoutMs = 60'000;    // without a request
inline constexpr std::size_t kJsonDepthMax = 32;

// Text.
inline constexpr std::size_t kClientNameMaxBytes = 128;
inline constexpr std::size_t kTokenMaxBytes = 512;
inline constexpr std::size_t kWorldNameMaxBytes = 64;
inline constexpr std::size_t kFolderNameMaxBytes = 64;
inline constexpr std::size_t kGameVersionMaxBytes = 32;
inline constexpr std::size_t kBlockTextMaxBytes = 512;
inline constexpr std::size_t kProfileNameMaxBytes = 64;

// Worlds.
inline constexpr std::size_t kWorldsMax = 64;
inline constexpr std::int32_t kWorldMinYMinBlocks = -2'048;
inline constexpr std::int32_t kWorldMinYMaxBlocks = 2'032;
inline constexpr std::uint32_t kWorldHeightMaxBlocks = 4'096;
inline constexpr std::int32_t kCoordinateMaxBlocks = 30'000'000;  // from the origin, every axis, both signs
inline constexpr std::int32_t kChunkCoordinateMaxChunks = 1'875'000;
inline constexpr std::int32_t kSectionCoordinateMaxSections = 255;  // up and down
inline constexpr std::size_t kSectionBlocks = 4'096;
inline constexpr std::size_t kSectionsMax = 256;                 // of a chunk
inline constexpr std::size_t kChunksMax = std::size_t{1} << 20;  // of a world that clients put chunks into
inline constexpr std::size_t kPaletteMaxBlocks = 65'536;
inline constexpr std::size_t kChangesMax = 65'536;                // of one set_blocks
inline constexpr std::int64_t kBoxVolumeMaxBlocks = 1 << 24;      // filled by one change
inline constexpr std::int64_t kChangesVolumeMaxBlocks = 1 << 24;  // by all changes of one set_blocks

// Queries.
inline constexpr std::size_t kQueryBlocksMax = std::size_t{1} << 18;  // of one query_blocks: the answer fits a frame
inline constexpr double kSightDistanceMaxBlocks = 1'024.0;

// Paths.
inline constexpr std::uint32_t kExpansionsMax = 1'000'000;
inline constexpr std::uint32_t kExpansionsDefault = 100'000;
inline constexpr std::uint32_t kDeadlineMaxMs = 600'000;
inline constexpr std::int32_t kPriorityMax = 100;                        // both signs
inline constexpr std::size_t kWaypointsMax = 16'384;                     // of one answer: it fits a frame
inline constexpr std::size_t kStartsMax = 1'024;                         // of one find_paths
inline constexpr std::size_t kHordeWaypointsMax = std::size_t{1} << 16;  // of all paths of one find_paths
inline constexpr std::int32_t kCostMax = 1'000'000;                      // a price of an agent; -1 forbids
inline constexpr double kAgentLengthMaxBlocks =
    4'096.0;  // any length of an agent; the planner's own limits are narrower
inline constexpr std::size_t kImmuneMax = 8;
inline constexpr std::uint32_t kLeapMaxCells = 3;
inline constexpr double kGoalRadiusMaxBlocks = 64.0;  // of radius and sight
inline constexpr double kFleeDistanceMaxBlocks = 256.0;
inline constexpr double kWeightMax = 10.0;  // of find_path.weight
inline constexpr std::size_t kPricedBoxesMax = 64;
inline constexpr std::size_t kGoalPlacesMax = 64;             // of any_of; points of flee
inline constexpr std::int64_t kPathLengthMaxBlocks = 65'536;  // of a path to validate, along all its waypoints
inline constexpr std::size_t kWatchedWaypointsMax = std::size_t{1} << 19;  // of all watched paths of a connection
inline constexpr std::size_t kWatchesMax = 4'096;  // of a connection, with those whose path is being searched

// Jobs.
inline constexpr std::size_t kJobsQueuedMax = 4'096;

}  // namespace voxpath::protocol
