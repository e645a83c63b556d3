// Moved to verspan.js.
export {};
