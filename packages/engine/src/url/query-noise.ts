// Which query parameters say how a visitor came, not what the page shows.

/**
 * Names that only tracking goes by, by who adds them. Sources: the list that Firefox strips (query-stripping-records of its remote settings)
 * and the registry of such parameters that owners of page caches keep (github.com/mpchadwick/tracking-query-params-registry).
 */
const TRACKERS: Readonly<Record<string, string>> = {
  'Google Analytics and its imitators': 'utm_\\w+ _ga _gl',
  'Google Ads': 'gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid',
  Facebook: 'fbclid',
  Instagram: 'igshid igsh',
  Microsoft: 'msclkid',
  Yandex: 'yclid ysclid _openstat',
  'X, TikTok, LinkedIn, Pinterest, Reddit': 'twclid ttclid li_fat_id epik rdt_cid',
  Mailchimp: 'mc_cid mc_eid',
  MailerLite: 'ml_subscriber ml_subscriber_hash',
  HubSpot: '_hsenc _hsmi __hssc __hstc __hsfp hsctatracking hsa_\\w+',
  'Matomo and Piwik': 'mtm_\\w+ matomo_\\w+ piwik_\\w+ pk_(?:campaign|kwd|keyword|source|medium|content|cid)',
  'Marketo, Vero, Olytics, Klaviyo': 'mkt_tok vero_(?:id|conv) oly_(?:anon|enc)_id _kx',
  'Wicked Reports, Rakuten, Impact, Awin': 'wickedid rb_clickid irclickid zanpid',
};

const TRACKING = new RegExp(`^(?:${Object.values(TRACKERS).join(' ').replaceAll(' ', '|')})$`, 'i');
/** Names that other programs use as well: addresses that differ in them are compared before they are taken for one. */
const DOUBTFUL_TRACKING = /^(?:pk_\w+|vero_\w+|s_cid|cmpid|trk|trkcampaign|spm|scm|cx_\w+id)$/i;
/** What is cheap to see in an address without any of them: none of the names has another beginning. */
const MAY_TRACK = /[?&](?:utm_|_|hs|g[abcd]|fb|ig|ms|wb|y|d|srs|tw|tt|li_|epik|rdt|m[clkta]|p|vero|oly|wick|rb_|irc|zan)/i;

/** Names that servers and frameworks give to a visitor's session. */
const SESSION =
  /^(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|sid|sessid|session_?id|sesskey|zenid|oscsid|s_id)$/i;

/** Whether a parameter only tells where a visitor came from. */
export function isTrackingParameter(name: string): boolean {
  return TRACKING.test(name) || DOUBTFUL_TRACKING.test(name);
}

/** Whether a parameter only names a visitor's session. */
export function isSessionParameter(name: string): boolean {
  return SESSION.test(name);
}

/** `url` without the parameters that only tracking uses, and their names; undefined where it has none. Everything else stays as written. */
export function withoutTracking(url: string): { readonly url: string; readonly leftOut: readonly string[] } | undefined {
  const mark = url.indexOf('?');
  if (mark < 0 || !MAY_TRACK.test(url)) return undefined;
  const hash = url.indexOf('#', mark);
  const end = hash < 0 ? url.length : hash;
  const leftOut: string[] = [];
  const kept = url
    .slice(mark + 1, end)
    .split('&')
    .filter((pair) => {
      const name = pair.split('=', 1)[0] ?? '';
      if (!TRACKING.test(name)) return true;
      leftOut.push(name);
      return false;
    });
  if (leftOut.length === 0) return undefined;
  const query = kept.every((pair) => pair === '') ? '' : `?${kept.join('&')}`;
  return { url: url.slice(0, mark) + query + url.slice(end), leftOut };
}
