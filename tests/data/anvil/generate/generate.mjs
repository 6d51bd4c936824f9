// Writes the region files in the folders beside this one, and account.txt for each: what prismarine-chunk, which shares no code with
// voxpath, reads back from them. Run by hand: npm ci && npm run generate
import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRequire } from 'node:module'
import { Version } from './chunks.mjs'
import { regionFile } from './region_writer.mjs'
const require = createRequire(import.meta.url)
const nbt = require('prismarine-nbt')

Date.now = () => 0 // the library writes the time into the files
const out = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')

function folder (name) {
  const dir = path.join(out, name)
  fs.rmSync(dir, { recursive: true, force: true })
  fs.mkdirSync(dir)
  return dir
}

// Two chunks, one of them at negative coordinates, written and read back by the library.
async function plain (name, index) {
  const version = new Version(name)
  const dir = folder(name)
  const writer = new version.Anvil(dir)
  const places = [[-1, 2], [-30, 31]]
  for (const [n, [x, z]] of places.entries()) {
    const chunk = version.empty()
    version.fill(chunk, 100 * index + n, n === 0 ? 20 : 9)
    await writer.save(x, z, chunk)
  }
  await writer.close()
  await account(version, dir, places)
}

async function account (version, dir, places) {
  const reader = new version.Anvil(dir)
  let text = `version ${version.name}\n`
  for (const [x, z] of places) text += version.account(await reader.load(x, z), x, z)
  await reader.close()
  fs.writeFileSync(path.join(dir, 'account.txt'), text)
}

// A chunk's NBT for another place, without what only makes it larger.
function moved (chunk, x, z) {
  const copy = structuredClone(chunk)
  const level = copy.value.Level ? copy.value.Level.value : copy.value
  level.xPos.value = x
  level.zPos.value = z
  for (const section of (level.sections ?? level.Sections).value.value) {
    delete section.BlockLight
    delete section.SkyLight
  }
  return copy
}

async function rawChunk (name, x, z) {
  const version = new Version(name)
  const reader = new version.Anvil(path.join(out, name))
  const chunk = await reader.loadRaw(x, z)
  await reader.close()
  return chunk
}

const bytes = chunk => nbt.writeUncompressed(chunk)

// One chunk at a place of its own in each compression; "same x z" in the account: the blocks of the chunk before it.
async function compressions (name, source) {
  const dir = folder('compressions')
  const from = await rawChunk(name, ...source)
  const chunks = ['gzip', 'zlib', 'none', 'lz4'].map((compression, x) =>
    ({ x, z: 0, nbt: bytes(moved(from, x, 0)), compression, external: false }))
  chunks.push({ x: 4, z: 0, nbt: bytes(moved(from, 4, 0)), compression: 'zlib', external: true })
  write(dir, regionFile(chunks), 'r.0.0.mca')
  const version = new Version(name)
  const reader = new version.Anvil(path.join(out, name))
  const chunk = await reader.load(...source)
  await reader.close()
  fs.writeFileSync(path.join(dir, 'account.txt'),
    `version ${name}\n` + version.account(chunk, 0, 0) + chunks.slice(1).map(c => `same ${c.x} ${c.z}\n`).join(''))
}

function write (dir, { file, external }, name) {
  fs.writeFileSync(path.join(dir, name), file)
  for (const [other, data] of external) fs.writeFileSync(path.join(dir, other), data)
}

// A region that was written by two versions of the game in turn: palettes packed across longs beside palettes that are not.
async function mixed () {
  const dir = folder('mixed-packings')
  const sources = [['1.14.4', -1, 2], ['1.16.5', -1, 2]]
  const chunks = []
  let text = ''
  for (const [x, [name, ...source]] of sources.entries()) {
    chunks.push({ x, z: 0, nbt: bytes(moved(await rawChunk(name, ...source), x, 0)), compression: 'zlib' })
    const version = new Version(name)
    const reader = new version.Anvil(path.join(out, name))
    text += `version ${name}\n` + version.account(await reader.load(...source), x, 0)
    await reader.close()
  }
  write(dir, regionFile(chunks), 'r.0.0.mca')
  fs.writeFileSync(path.join(dir, 'account.txt'), text)
}

// Ids of mods before 1.13, above 255: the Add array holds their upper four bits.
async function largeIds () {
  const dir = folder('large-ids')
  const chunk = moved(await rawChunk('1.12.2', -1, 2), 0, 0)
  const section = chunk.value.Level.value.Sections.value.value[0]
  const add = new Array(2048).fill(0)
  for (let i = 0; i < 64; i++) add[i] = i % 2 ? 0x01 : 0x70
  section.Add = { type: 'byteArray', value: add }
  write(dir, regionFile([{ x: 0, z: 0, nbt: bytes(chunk), compression: 'zlib' }]), 'r.0.0.mca')
  const version = new Version('1.12.2')
  const { nbtChunkToPrismarineChunk } = require('prismarine-provider-anvil/src/chunk')(version.registry)
  // The library expects light.
  for (const s of chunk.value.Level.value.Sections.value.value) {
    s.SkyLight = s.BlockLight = { type: 'byteArray', value: new Array(2048).fill(0) }
  }
  fs.writeFileSync(path.join(dir, 'account.txt'),
    'version 1.12.2\n' + version.account(nbtChunkToPrismarineChunk(chunk), 0, 0))
}

const VERSIONS = ['1.8.9', '1.12.2', '1.13.2', '1.14.4', '1.16.5', '1.18.2', '1.20.4', '1.21.4']
for (const [index, name] of VERSIONS.entries()) await plain(name, index + 1)
await compressions('1.20.4', [-30, 31])
await mixed()
await largeIds()
