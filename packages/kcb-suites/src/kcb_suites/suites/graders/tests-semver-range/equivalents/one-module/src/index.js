export * from "./verspan.js";
