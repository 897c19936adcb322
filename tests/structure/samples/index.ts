export * from './first.ts';
export { shown as inner } from './second.ts';
