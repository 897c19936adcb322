// Generated from the operation tables by `npm run generate`. Do not edit.
import type { ClientRoute } from '../route.ts';

export const ROUTES: Readonly<Record<string, ClientRoute>> = {
  'agent.status': {"method":"GET","path":"/v1/agent","query":[],"answers":[],"kind":"json"},
  'agent.health': {"method":"GET","path":"/v1/health","query":[],"answers":[],"kind":"json"},
  'runs.list': {"method":"GET","path":"/v1/runs","query":["limit","offset","kind","status"],"answers":[],"kind":"json"},
  'runs.read': {"method":"GET","path":"/v1/runs/{id}","query":[],"answers":[],"kind":"json"},
  'runs.events': {"method":"GET","path":"/v1/runs/{id}/events","query":[],"answers":[],"kind":"events"},
  'runs.cancel': {"method":"POST","path":"/v1/runs/{id}/cancel","query":[],"answers":[409],"kind":"json"},
  'crawl.list': {"method":"GET","path":"/v1/crawl","query":["limit","offset","status"],"answers":[],"kind":"json"},
  'crawl.start': {"method":"POST","path":"/v1/crawl","query":[],"answers":[],"kind":"json"},
  'crawl.read': {"method":"GET","path":"/v1/crawl/{id}","query":["limit","cursor"],"answers":[],"kind":"json"},
  'crawl.cancel': {"method":"POST","path":"/v1/crawl/{id}/cancel","query":[],"answers":[409],"kind":"json"},
  'keys.list': {"method":"GET","path":"/v1/keys","query":["limit","offset"],"answers":[],"kind":"json"},
  'keys.create': {"method":"POST","path":"/v1/keys","query":[],"answers":[],"kind":"json"},
  'keys.read': {"method":"GET","path":"/v1/keys/{id}","query":[],"answers":[],"kind":"json"},
  'keys.delete': {"method":"DELETE","path":"/v1/keys/{id}","query":[],"answers":[],"kind":"none"},
  'wsTicket.create': {"method":"POST","path":"/v1/ws-ticket","query":[],"answers":[],"kind":"json"},
  'token.rotate': {"method":"POST","path":"/x/token/rotate","query":[],"answers":[],"kind":"json"},
};
