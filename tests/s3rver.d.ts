// A server that speaks S3, as far as tests use it.
declare module 's3rver' {
  import type { Server } from 'node:http';
  export default class S3rver {
    constructor(options: {
      port: number;
      address: string;
      silent: boolean;
      directory: string;
      configureBuckets: readonly { name: string; configs: readonly string[] }[];
    });
    readonly httpServer: Server;
    run(): Promise<unknown>;
  }
}
