export { StoreError } from "./errors.js";
export { FileBackend } from "./file-backend.js";
export { MemoryBackend } from "./memory-backend.js";
export { WorkQueue } from "./queue.js";
export { open } from "./open.js";
