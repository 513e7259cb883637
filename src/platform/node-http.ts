/**
 * `node:http` itself, not its ES module: importing that reads each of its exports, and the getter of `WebSocket` loads
 * undici, which costs every process 70 ms and 14 MB. Types are imported from `node:http`.
 */
export const http = process.getBuiltinModule('node:http');
