import { startBuildStage } from './build-stage.ts';
import { findBrowser } from './browser.ts';
import * as sites from './sites/api-sites.ts';
const all: Record<string, () => Promise<sites.ApiSite>> = { shop: () => sites.startShop(), xhr: sites.startXhr, cursor: sites.startCursor, graphql: sites.startGraphql, post: () => sites.startPostSearch(false), csrf: () => sites.startPostSearch(true), empty: sites.startEmpty, calendar: sites.startCalendar };
await using stage = startBuildStage(await findBrowser());
for (const name of process.argv.slice(2).length ? process.argv.slice(2) : Object.keys(all)) {
  await using site = await all[name]!();
  const t = Date.now();
  const r = await stage.build({ url: site.url, objective: 'search goods by name with price and maker' });
  console.log('=====', name, Date.now() - t, 'ms', site.asked.length, 'requests');
  for (const l of r.ladder) console.log(' ', l.rung, l.status, l.fallbackReason, l.measured);
  for (const f of r.functions) console.log('  *', f.name, f.certificate.lane, f.certificate.state, f.certificate.reason, JSON.stringify(f.candidate.way).slice(0, 150), JSON.stringify(f.candidate.paging), f.certificate.probes.map(p=>`${p.role}(${JSON.stringify(p.inputs)})=${p.rows}${p.failure?'!'+p.failure.slice(0,80):''}`).join(' '), JSON.stringify(f.sample[0]));
  console.log('  unused', JSON.stringify(r.unused), r.catalogue.forms.map(f=>f.unused));
}
