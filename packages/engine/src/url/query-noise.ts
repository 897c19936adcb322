// Which query parameters say how a visitor came, not what the page shows.

/** Names and name prefixes in use by analytics, advertising and mailing tools. */
const TRACKING =
  /^(?:utm_\w+|mtm_\w+|pk_\w+|matomo_\w+|piwik_\w+|hsa_\w+|_hs\w+|__hs\w+|mc_[ce]id|_ga|_gl|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|ysclid|twclid|ttclid|igshid|igsh|li_fat_id|epik|srsltid|vero_\w+|oly_\w+_id|s_cid|cmpid|trk|trkcampaign|wickedid|zanpid|_openstat|irclickid|rb_clickid|spm|scm|cx_\w+id)$/i;

/** Names that servers and frameworks give to a visitor's session. */
const SESSION =
  /^(?:phpsessid|jsessionid|aspsessionid\w*|asp\.net_sessionid|cfid|cftoken|sid|sessid|session_?id|sesskey|zenid|oscsid|s_id)$/i;

/** Whether a parameter only tells where a visitor came from. */
export function isTrackingParameter(name: string): boolean {
  return TRACKING.test(name);
}

/** Whether a parameter only names a visitor's session. */
export function isSessionParameter(name: string): boolean {
  return SESSION.test(name);
}
