// The words, signs and class hints by which pages label the links of a paged list, in the languages that carry most of the web.

/** What a label says about where its link leads. `older` and `newer` depend on the order of the list. */
export type Direction = 'next' | 'previous' | 'older' | 'newer';

const WORDS: Readonly<Record<Direction, string>> = {
  next: `next forward forwards continue continued more-results next-page go-to-next-page
    weiter nächste nächster nächstes vorwärts nächste-seite naechste folgende
    suivant suivante suivants suivantes page-suivante
    siguiente siguientes adelante página-siguiente próxima próximo proxima proximo próximas seguinte seguintes avançar
    següent
    successivo successiva successivi avanti prossimo prossima pagina-successiva seguente seguenti
    volgende verder næste neste nästa framåt seuraava seuraavat nästa-sida næsta
    następna następny następne dalej další dalsi následující nasledujici ďalšia ďalší ďalšie naslednja naprej sljedeća sljedeće sledeća sledeci
    următoarea următorul înainte urmatoarea következő kovetkezo tovább järgmine nākamā kitas toliau tjetra
    επόμενη επόμενο επόμενα sonraki ileri
    далее следующая следующие след вперед вперёд дальше следующей наступна далі уперед вперед следваща напред следна следећа
    הבא הבאה לדף-הבא التالي التالية بعدی بعد اگلا
    次 次へ 次の 次のページ 次のページへ 次ページ 次頁 進む 下一页 下一頁 下页 下頁 后一页 下一步 下一篇 下一章 다음 다음페이지 다음-페이지
    अगला अगले अर्को पुढील પછીનું આગળ ਅਗਲਾ পরবর্তী পরের அடுத்த அடுத்தது தொடர்ச்சி తదుపరి తర్వాత ಮುಂದಿನ ಮುಂದೆ അടുത്തത് അടുത്ത ඊළඟ
    ถัดไป หน้าถัดไป ต่อไป ຕໍ່ໄປ បន្ទាប់ နောက် tiếp trang-sau sau tiếp-theo trang-tiếp kế-tiếp selanjutnya berikutnya lanjut seterusnya susunod
    შემდეგი հաջորդ հաջորդը առաջ növbəti sonrakı irəli келесі keyingi дараах следно наступная далей tjetër
    hurrengoa nesaf næsta áfram inayofuata ijayo
    صفحه-بعد صفحه-بعدی الصفحة-التالية التالى اگلا-صفحہ`,
  previous: `previous prev prior back backward backwards previous-page
    zurück zurueck vorherige vorheriger vorige vorherige-seite
    précédent précédente precedent precedente précédents retour page-précédente
    anterior anteriores atrás atras volver voltar
    precedenti indietro pagina-precedente
    forrige tilbage tilbake föregående bakåt edellinen edelliset fyrri
    poprzednia poprzedni poprzednie wstecz cofnij předchozí predchozi zpět zpet predchádzajúca späť prejšnja nazaj prethodna prethodno natrag nazad
    anterioară înapoi inapoi előző elozo vissza eelmine iepriekšējā ankstesnis
    προηγούμενη προηγούμενο önceki onceki geri
    назад предыдущая предыдущие пред предыдущей попередня попередні предишна
    הקודם הקודמת السابق السابقة قبلی قبل
    前 前へ 前の 前のページ 前のページへ 前ページ 前頁 戻る 上一页 上一頁 上页 上頁 前一页 上一篇 上一章 이전 이전페이지 이전-페이지
    पिछला पिछले अघिल्लो मागील પાછળ ਪਿਛਲਾ পূর্ববর্তী আগের முந்தைய మునుపటి ಹಿಂದಿನ മുൻപത്തെ පෙර
    ก่อนหน้า ກ່ອນໜ້າ មុន trước trang-trước về-trước sebelumnya kembali nakaraan
    წინა նախորդ նախորդը əvvəlki geriyə алдыңғы oldingi өмнөх претходно папярэдняя mëparshme aurrekoa blaenorol iliyotangulia
    صفحه-قبل صفحه-قبلی الصفحة-السابقة پچھلا`,
  older: `older older-posts older-entries older-articles ältere aeltere plus-ancien plus-anciens anciens antiguas antiguos antigas antigos
    más-antiguas más-antiguos mais-antigos mais-antigas meno-recenti più-vecchi vecchi ouder oudere ældre eldre äldre vanhemmat starsze starší régebbi
    mai-vechi παλαιότερα παλιότερα daha-eski eski старые старее ранее старіші по-стари more load-more show-more 過去 過去の記事 古い 较旧 更早`,
  newer: `newer newer-posts newer-entries newer-articles neuere récents plus-récents más-recientes recientes mais-recentes recentes più-recenti recenti
    nieuwer nieuwere nyere nyare uudemmat nowsze novější újabb mai-noi νεότερα daha-yeni yeni новые новее новіші по-нови 新しい 较新`,
};

const DIRECTION_OF: ReadonlyMap<string, Direction> = new Map(
  (Object.entries(WORDS) as [Direction, string][]).flatMap(([direction, words]) =>
    words.split(/\s+/).map((word) => [word.replaceAll('-', ' '), direction] as const),
  ),
);

/** Words that may stand beside a direction without changing it. */
const COMPANIONS = new Set(
  `page pages the a to go of results result posts entries articles set items products news stories topics threads view show see click here
  seite seiten beiträge einträge zur la le les l page articles página pagina páginas resultados entradas noticias de del
  pagine risultati articoli alla pagina berichten side sider sida sivu strona strony stránka strana stranica oldal sayfa
  страница страницы стр записи новости сторінка pág pag str elementi produkte produits productos prodotti producten treffer ergebnisse résultats
  resultaten sidan siden страницу страници stranici soubory oferty ofert 页 頁 件 ページ 페이지 sayfası trang หน้า 개`.split(/\s+/),
);

/** The word for a page, alone or within a compound, in the languages of `WORDS` and `COMPANIONS`. */
const PAGE_WORD =
  /(?<!\p{L})(?:pages?|seiten?|páginas?|paginas?|página|pagine|sid[ae]|siden|sidan|sider|sivu|stron[ay]|stránk[ay]|stran[ay]|stranic[ai]|oldal|sayfa(?:sı)?|страниц[аыеуи]|стр|сторінка|trang)(?!\p{L})|ページ|[页頁]|페이지|หน้า(?!นี้)|صفح|پیج|דף/u;

const RIGHT_SIGNS = /[»›→>▶►⇒⟩❯➔➜➡⏩⟶]|-->|=>|&gt;/u;
const LEFT_SIGNS = /[«‹←<◀◄⇐⟨❮⬅⏪⟵]|<--|&lt;/u;
const SIGNS = /[»›→>▶►⇒⟩❯➔➜➡⏩⟶«‹←<◀◄⇐⟨❮⬅⏪⟵]/gu;

/** What a short label says: its words, and its arrow signs. */
export interface LabelReading {
  readonly direction: Direction | undefined;
  /** True where the words that lead name a page beside their direction, "Next page" rather than "Next": what goes on is the list, no neighbour. */
  readonly page: boolean;
  /** The direction of the first words where others follow: `Next page: the second half`. */
  readonly leading: Direction | undefined;
  /** Which way the arrow signs point; undefined without signs or with both. */
  readonly sign: 'right' | 'left' | undefined;
  /** True when the label is arrow signs and nothing else. */
  readonly onlySign: boolean;
  /** True for `»»`, `>>|` and other signs for the last page. */
  readonly doubled: boolean;
}

/** Reads a label of at most about 40 characters; a direction counts only when all other words are companions or numbers. */
export function readLabel(label: string): LabelReading {
  const right = RIGHT_SIGNS.test(label);
  const left = LEFT_SIGNS.test(label);
  const bare = wordsOfIconFont(label)
    .replace(SIGNS, ' ')
    .replace(COUNT_IN_CJK, '$1 ')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .trim()
    .toLowerCase();
  const direction = directionOfWords(bare);
  const leading = direction === undefined ? leadingWords(label) : bare;
  return {
    direction,
    page: leading !== undefined && PAGE_WORD.test(leading),
    leading: direction ?? (leading === undefined ? undefined : directionOfWords(leading)),
    sign: right === left ? undefined : right ? 'right' : 'left',
    onlySign: bare === '' && right !== left,
    doubled: /[|]|>>|<<|»»|««/.test(label),
  };
}

/** Icon fonts write their arrows as words of their own. */
const ICON_WORDS = /^(?:keyboard_(?:double_)?)?(?:arrow|chevron|navigate|skip)_(?:forward|right|next)(?:_ios)?$/i;

function wordsOfIconFont(label: string): string {
  return ICON_WORDS.test(label.trim()) ? 'next' : label;
}

/** `次の20件`: how many come next stands within the word. */
const COUNT_IN_CJK = /^((?:次|下)の?)\s*\d+\s*(?:件|个|個|ページ|页|頁)?/u;

/** The one or two words that lead. Only whole words do: `Next: more` leads, `Next.js` doesn't. */
function leadingWords(label: string): string | undefined {
  const words = label.replace(SIGNS, ' ').trim().toLowerCase().split(/\s+/);
  const firsts = [2, 1].map((count) =>
    words
      .slice(0, count)
      .join(' ')
      .replace(/[:,.…-]+$/, ''),
  );
  return firsts.find((first) => directionOfWords(first) !== undefined);
}

function directionOfWords(words: string): Direction | undefined {
  const whole = DIRECTION_OF.get(words);
  if (whole) return whole;
  const parts = words.split(' ').filter((word) => word !== '');
  if (parts.length === 0 || parts.length > 6) return undefined;
  let found: Direction | undefined;
  for (const part of parts) {
    const direction = DIRECTION_OF.get(part);
    if (direction && found && direction !== found) return undefined;
    if (!direction && !COMPANIONS.has(part) && !/^\d+$/.test(part)) return undefined;
    found = direction ?? found;
  }
  return found;
}

/** What class names, ids and `rel` values say; undefined when they say both or nothing. */
export function directionOfTokens(tokens: string): 'next' | 'previous' | undefined {
  const spaced = tokens.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const next =
    /(?<![a-z])next(?=(?:posts?|page|link|btn|button|arrow|entries|items?|results?)?(?:link)?s?(?![a-z]))|[a-z]next(?![a-z])|(?<![a-z])(?:forward|suivant|siguiente|weiter|volgende)/.test(
      spaced,
    );
  const previous = /(?<![a-z])prev|previous|prev(?![a-z])|(?<![a-z])(?:backward|precedent|anterior|zurueck|vorige)/.test(spaced);
  return next === previous ? undefined : next ? 'next' : 'previous';
}

/** Which way an icon's class points: `fa-angle-right`, `icon-chevron-left`, `arrow_next`. */
export function directionOfIcon(tokens: string): 'next' | 'previous' | undefined {
  const icon = /(?:arrow|chevron|angle|caret|icon|glyph|fa)[\w-]{0,30}?[-_](right|left|next|prev|forward|back)/i.exec(tokens);
  if (!icon) return undefined;
  return /right|next|forward/i.test(icon[1] ?? '') ? 'next' : 'previous';
}
