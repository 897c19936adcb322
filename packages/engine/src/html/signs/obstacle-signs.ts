// The words and marks by which bot checks, refusals and log-in walls show themselves, whatever the site. All lower-case.

/** Asks the visitor to be, or to prove to be, a person. */
export const HUMAN_PHRASES = anyOf([
  /checking (?:if )?(?:your browser|the site connection)/,
  /verif(?:y|ying) (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)/,
  /(?:confirm|prove|make sure|making sure) (?:that )?you(?:'re| are) (?:a )?(?:human|not a (?:ro)?bot)/,
  /are you (?:a )?(?:human|robot)/,
  /i(?:'m| am) not a robot/,
  /just a moment/,
  /security (?:check|verification)/,
  /unusual (?:traffic|activity)/,
  /automated (?:access|requests|queries|traffic)/,
  /enable javascript and cookies to continue/,
  /ddos protection/,
  /press (?:&|&amp;|and) hold/,
  /(?:complete|solve) (?:the|this) (?:captcha|challenge|puzzle)/,
  /ich bin kein roboter|dass sie ein mensch sind/,
  /vous (?:êtes|etes) (?:un )?humain|pas un robot/,
  /no (?:soy|eres) un robot/,
  /não (?:sou|é) um robô/,
  /вы не робот|проверка браузера/,
  /我不是机器人|安全验证|人机验证/,
  /私はロボットではありません/,
]);

/** Refuses the visitor. */
export const BLOCK_PHRASES = anyOf([
  /access (?:to this (?:page|site|resource) )?(?:has been |is |was )?denied/,
  /you(?:'ve| have) been (?:blocked|banned)/,
  /(?:request|connection) (?:was |has been |is )?(?:blocked|rejected|unsuccessful|denied)/,
  /your ip(?: address)? (?:has been|is|was) (?:temporarily )?(?:blocked|banned|blacklisted)/,
  /\b403\b.{0,5}forbidden/,
  /not available in your (?:country|region)/,
  /you don't have permission to access/,
  /zugriff verweigert/,
  /accès refusé/,
  /acceso denegado|acesso negado/,
  /доступ (?:запрещ[её]н|ограничен)/,
  /访问被拒绝/,
  /アクセスが拒否/,
]);

/** Demands an account before anything is shown. */
export const LOGIN_PHRASES = anyOf([
  /(?:log|sign) ?in (?:or (?:register|sign up|create an account) )?to (?:continue|view|see|access|read|proceed)/,
  /please (?:log|sign) ?in\b/,
  /you (?:must|need to) (?:be logged in|be signed in|log ?in|sign ?in)/,
  /log ?in required|authentication required|members only/,
  /(?:subscribe|register|create an account) to (?:continue|view|read|see)/,
  /bitte (?:melden sie sich|loggen sie sich|einloggen)/,
  /connectez-vous pour/,
  /inicia sesión para/,
  /faça login para/,
  /войдите,? чтобы|необходимо (?:войти|авторизоваться)/,
  /请(?:先)?登录/,
  /ログインしてください/,
]);

/** Marks in the markup of widely used bot checks: there while they check, and seldom on the page behind them. */
export const CHECK_MARKS = anyOf([
  /_cf_chl_opt|cf-browser-verification|cf-challenge-running/,
  /captcha-delivery\.com/,
  /_incapsula_resource/,
  /px-captcha/,
  /gokuprops|awswafintegration/,
  /sucuri_cloudproxy_js/,
  /sec-if-cpt-container|bm-verify/,
  /kpsdk/,
  /ddos-guard\/js-challenge/,
  /\/\.within\.website\/x\/cmd\/anubis/,
  /slowaes/,
]);

/** Captcha widgets, and pictures with letters to type. */
export const CAPTCHA_MARKS = anyOf([
  /g-recaptcha|recaptcha\/(?:api|enterprise)/,
  /h-captcha|hcaptcha\.com\/1\/api/,
  /cf-turnstile|turnstile\/v0\/api/,
  /arkoselabs|funcaptcha|geetest|data-sitekey/,
  /<img\b[^>]{0,300}captcha/,
  /name\s*=\s*["']?captcha/,
]);

/** A host or path whose business is to sign people in. */
export const LOGIN_PATH =
  /(?:^|[/._-])(?:log-?in|sign-?in|signon|sso|auth|authenticate|account\/login|session\/new|connexion|anmelden)(?:[/._?-]|$)/i;

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map((pattern) => pattern.source).join('|'), 'i');
}
