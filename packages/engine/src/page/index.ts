// Reading a page in the program that asks, for those that nothing else waits for; others hand it to a view pool (`@weft/engine/io`).
export { parseTree } from '../html/tree.ts';
export { Document } from './document.ts';
