// Region files in the shapes that prismarine-provider-anvil does not write: other compressions, external chunks, bare bytes.
import zlib from 'node:zlib'
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const lz4 = require('lz4js')
const xxhash = await require('xxhash-wasm')()

const SECTOR = 4096

// lz4-java's LZ4BlockOutputStream with small blocks, so that there are several, one of them stored.
function lz4Blocks (bytes, blockSize) {
  const parts = []
  const block = (method, data, original) => {
    const header = Buffer.alloc(21)
    header.write('LZ4Block', 'latin1')
    header[8] = method | 4
    header.writeUInt32LE(data.length, 9)
    header.writeUInt32LE(original.length, 13)
    header.writeUInt32LE(original.length ? (xxhash.h32Raw(original, 0x9747b28c) & 0x0fffffff) : 0, 17)
    parts.push(header, data)
  }
  for (let at = 0, n = 0; at < bytes.length; at += blockSize, n++) {
    const original = bytes.subarray(at, at + blockSize)
    const packed = Buffer.alloc(lz4.compressBound(original.length))
    const size = n === 1 ? 0 : lz4.compressBlock(original, packed, 0, original.length, new Uint32Array(1 << 16))
    if (size === 0) block(0x10, original, original)
    else block(0x20, packed.subarray(0, size), original)
  }
  block(0x10, Buffer.alloc(0), Buffer.alloc(0))
  return Buffer.concat(parts)
}

export const COMPRESSIONS = {
  gzip: [1, b => zlib.gzipSync(b, { level: 9 })],
  zlib: [2, b => zlib.deflateSync(b, { level: 9 })],
  none: [3, b => b],
  lz4: [4, b => lz4Blocks(b, 8192)]
}

// chunks: [{x, z, nbt: Buffer, compression, external}], x and z in the world. Returns {file: Buffer, external: Map(name -> Buffer)}.
// The last sector is not filled up, as some programs leave it.
export function regionFile (chunks) {
  const header = Buffer.alloc(2 * SECTOR)
  const parts = [header]
  const external = new Map()
  let sector = 2
  chunks.forEach((chunk, n) => {
    const [id, compress] = COMPRESSIONS[chunk.compression]
    let data = compress(chunk.nbt)
    let flag = 0
    if (chunk.external) {
      external.set(`c.${chunk.x}.${chunk.z}.mcc`, data)
      data = Buffer.alloc(0)
      flag = 0x80
    }
    const record = Buffer.alloc(5)
    record.writeUInt32BE(data.length + 1, 0)
    record[4] = id | flag
    const used = record.length + data.length
    const sectors = Math.ceil(used / SECTOR)
    parts.push(record, data)
    if (n + 1 < chunks.length) parts.push(Buffer.alloc(sectors * SECTOR - used))
    header.writeUInt32BE(sector * 256 + sectors, 4 * ((chunk.x & 31) + (chunk.z & 31) * 32))
    sector += sectors
  })
  return { file: Buffer.concat(parts), external }
}
