// The words by which pages in many languages name their forms and fields. Matched against lower-case text and names.

/** What a form is for. `other` where nothing speaks for one of the rest. */
export type FormType =
  | 'search'
  | 'login'
  | 'registration'
  | 'password_reset'
  | 'contact'
  | 'comment'
  | 'newsletter'
  | 'order'
  | 'poll'
  | 'captcha'
  | 'other';

/** Words at any place in a name (`class`, `id`, `action`) or in shown text; `(?<!\p{L})` and `(?!\p{L})` stand for word ends. */
export const FORM_WORDS = {
  search:
    /search|qry|query|filter|refine|suche?(?!\p{L})|suchen|(?<!\p{L})find(?!\p{L})|finder|lookup|recherch|chercher|rechercher|buscar|busca(?!\p{L})|busqueda|búsqueda|pesquis|procurar|cerca(?!\p{L})|ricerca|zoek|(?<!\p{L})sök|søg|søk|(?<!\p{L})haku|(?<!\p{L})etsi|szukaj|wyszuk|hledat|hledej|vyhled|hľadať|pretra|traži|ieško|paieška|(?<!\p{L})meklē|otsi(?!\p{L})|išči|căuta|cauta|keres|(?<!\p{L})ara(?!\p{L})|искать|поиск|найти|пошук|знайти|търси|αναζήτηση|חיפוש|חפש|بحث|جستجو|検索|搜索|搜尋|查找|查詢|검색|ค้นหา|tìm kiếm|(?<!\p{L})cari(?!\p{L})/u,
  login:
    /log[-_ ]?[io]n(?!g)|sign[-_ ]?in(?!g)|logon|auth(?!or)|einloggen|anmelden|anmeldung(?!en)|connexion|connecter|identif|iniciar sesi|ingresar|acceder|acceso|entrar(?!\p{L})|(?<!\p{L})accedi|accesso|inloggen|aanmelden|logga in|logg inn|log ind|kirjaudu|zaloguj|logowanie|přihlá|prihlás|prijava|autentific|bejelentkez|belépés|giriş|войти|вход(?!\p{L})|авториз|логин|увійти|вхід|σύνδεση|התחבר|כניסה|دخول|ورود|ログイン|登录|登入|登錄|로그인|เข้าสู่ระบบ|đăng nhập|(?<!\p{L})masuk/u,
  registration:
    /regist(?:er|r|ro|reren)|sign[-_ ]?up|join(?!\p{L})|(?:create|open|new)[-_ ]?(?:an? |your |new )?[-_]?(?:account|profile|user)|new[-_ ]?(?:user|account|customer|member)|registrier|konto erstellen|inscri(?:re|pt|v)|créer (?:un|mon|votre) compte|crear (?:una )?cuenta|regístr|registrar|cadastr|criar conta|iscri|registrati|aanmaken|account maken|skapa konto|opret|rekisteröi|zarejestr|rejestrac|utwórz konto|registrov|înregistr|regisztr|kayıt|üye ol|регистр|создать учет|создать аккаунт|зареєстр|реєстрац|εγγραφή|הרשמ|تسجيل جديد|إنشاء حساب|会員登録|新規登録|注册|註冊|회원가입|สมัคร|đăng ký|daftar/u,
  reset:
    /forg[oe]t|lost[-_ ]?pass|reset|recover|remind|retrieve|password[-_ ]?(?:help|assist|request)|passwort vergessen|zurücksetzen|(?:mot de passe|contraseña|senha) (?:oublié|perdu|olvid|esquec)|oublié|olvid|recuperar|esquec|dimenticat|recupera|vergeten|glömt|glemt|unohd|przypomn|zapomn|odzysk|elfelejt|unuttum|sıfırla|восстанов|забыли|напомн|відновл|パスワードを忘れ|忘记密码|找回|忘記|비밀번호 찾기/u,
  password:
    /passw|(?<!\p{L})pass(?!\p{L})|kennwort|mot de passe|contraseña|contrasen|contrasinal|senha|wachtwoord|lösenord|passord|adgangskode|salasana|hasł|hasla|heslo|jelszó|jelszo|slaptažod|slaptazod|parol|lozink|şifre|sifre|пароль|пароля|κωδικ|סיסמ|كلمة المرور|パスワード|密码|密碼|비밀번호|mật khẩu|รหัสผ่าน/u,
  comment:
    /comment|reply|kommentar|kommentti|commentaire|coment[aá]rio|comentari|commento|reactie|отзыв|комментар|коментар|ответ|コメント|评论|댓글|review|guestbook|gästebuch|shout/u,
  contact:
    /contact|kontakt|feedback|enquir|inquir|nachricht|message|mensaje|mensagem|messaggio|bericht|contatt|support|связ|обратн|сообщен|お問い合わせ|联系|聯絡|문의|tell[-_ ]?a[-_ ]?friend|send[-_ ]?to[-_ ]?(?:a[-_ ]?)?friend|request/u,
  newsletter:
    /news|subscri|mailing|mail[-_ ]?list|mailchimp|mc-embedded|email[-_ ]?(?:list|updates|alerts|sign)|updates|s'abonner|abonn|abonnieren|suscri|boletín|boletin|assin(?:ar|e)|nieuwsbrief|nyhetsbrev|nyhedsbrev|uutiskirje|bülten|zpravodaj|hírlevél|подпис|рассылк|розсилк|メルマガ|订阅|訂閱|구독|feedburner|notify|stay in touch|sign up for/u,
  order:
    /cart|basket|checkout|(?<!\p{L})buy|purchas|(?<!\p{L})order(?!by|ing|_by)|add[-_ ]?to[-_ ]?bag|warenkorb|bestell|panier|ajouter|carrito|comprar|carrinho|carrello|acquist|winkelwagen|koszyk|košík|kosár|sepet|корзин|купить|заказ|кошик|カート|购物车|購物車|장바구니|paypal|quantity|(?<!\p{L})qty|donat|booking|reserv/u,
  poll: /(?<!\p{L})poll|(?<!\p{L})vote|voting|survey|umfrage|sondage|encuesta|enquete|sondaggio|опрос|голосова|投票|rating/u,
  captcha: /captcha|are you (?:a )?human|not a robot/u,
} as const;

/** Names that the text field of a search form has. */
export const SEARCH_FIELD_NAME =
  /^(?:.*[^a-z])?(?:q|qs|qry|query|queries|s|k|kw|kwd|search\w*|keys?|keywords?|term|terms|phrase|wd|word|words|find|what|where|sterm|srch|text|st|w|w1|zoek\w*|such\w*|recherche|buscar?|busqueda|szukaj|hledat|poisk|topic|ss|as_q|field-keywords|sb_\w+|destination)$|search|keyword|query/i;

/** Names and labels that tell what a field asks for; the first that matches wins. */
export const FIELD_WORDS: readonly (readonly [type: FieldMeaning, words: RegExp])[] = [
  ['captcha', /captcha|verif(?:y|ication)[-_ ]?(?:code|image)|security[-_ ]?(?:code|image)|antispam|human|код с картинки|проверочн/],
  [
    'username_or_email',
    /user(?:name)?[-_ /]*(?:or|ou|oder|o|\/)[-_ /]*e?-?mail|e-?mail[-_ /]*(?:or|address or)[-_ /]*(?:user|login)|username\/email/,
  ],
  [
    'email_confirm',
    /(?:confirm|repeat|re-?enter|verify|again|retype|conf)[-_\w ]*e-?mail|e-?mail[-_\w ]*(?:confirm|again|repeat|verify|2)(?!\p{L})/u,
  ],
  ['email', /e-?mail|(?<![a-z])mail(?![a-z])|courriel|correo|эл\.? ?почт|почта|メール|邮箱|電郵|이메일/],
  ['openid', /openid/],
  [
    'first_name',
    /first[-_ ]?name|fname|given[-_ ]?name|vorname|prénom|prenom|nombre(?! de usuario)|voornaam|имя(?! пользователя)|forename|(?<![a-z])first(?![a-z])/,
  ],
  ['last_name', /last[-_ ]?name|lname|sur[-_ ]?name|family[-_ ]?name|nachname|apellido|achternaam|фамилия|cognome|(?<![a-z])last(?![a-z])/],
  [
    'username',
    /user[-_ ]?(?:name|id)?(?![a-z])|usr|login|nick|screen[-_ ]?name|member(?:name|id)|account[-_ ]?(?:name|id)|benutzer|usuario|usuário|utilisateur|identifiant|gebruikers|логин|имя пользователя|ユーザー|用户名|아이디|userid|uname/,
  ],
  ['middle_name', /middle[-_ ]?(?:name|initial)|отчество/],
  ['organization', /company|organi[sz]ation|firma|empresa|société|bedrijf|компания|business[-_ ]?name|school/],
  ['phone', /phone|mobile|(?<![a-z])tel(?![a-z])|telefon|téléphone|celular|телефон|電話|电话|전화|(?<![a-z])cell(?![a-z])/],
  ['fax', /(?<![a-z])fax/],
  ['postal_code', /zip|post(?:al)?[-_ ]?code|plz|código postal|code postal|postcode|индекс|郵便|邮编/],
  ['country', /country|land(?![a-z])|pays|país|страна|国/],
  ['state', /(?<![a-z])state(?![a-z])|province|region|county|область/],
  ['city', /city|town|(?<![a-z])ort(?![a-z])|ciudad|ville|stadt|город|locality/],
  ['address', /address|addr|street|straße|strasse|adresse|dirección|direccion|endereço|indirizzo|адрес|住所|地址/],
  ['birth_date', /birth|(?<![a-z])dob|geburt|naissance|nacimiento|дата рождения/],
  ['gender', /gender|(?<![a-z])sex(?![a-z])|geschlecht|sexe|пол(?!\p{L})/u],
  ['url', /web[-_ ]?site|homepage|(?<![a-z])url(?![a-z])|blog[-_ ]?url|site[-_ ]?url|сайт/],
  ['subject', /subject|betreff|sujet|asunto|assunto|oggetto|onderwerp|тема|件名|主题|title/],
  ['full_name', /(?<![a-z])name(?![a-z])|full[-_ ]?name|your[-_ ]?name|author|nombre y|nom(?![a-z])|naam|имя|お名前|姓名|이름/],
  ['quantity', /qty|quantity|menge|anzahl|quantité|cantidad|кол-?во|количество/],
  ['coupon', /coupon|promo|voucher|invit|referr|gutschein|gift[-_ ]?code/],
];

/** What a field asks for, where that is clear. */
export type FieldMeaning =
  | 'search_query'
  | 'username'
  | 'username_or_email'
  | 'openid'
  | 'password'
  | 'password_confirm'
  | 'email'
  | 'email_confirm'
  | 'first_name'
  | 'middle_name'
  | 'last_name'
  | 'full_name'
  | 'organization'
  | 'phone'
  | 'fax'
  | 'address'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'country'
  | 'birth_date'
  | 'gender'
  | 'url'
  | 'subject'
  | 'message'
  | 'quantity'
  | 'coupon'
  | 'captcha'
  | 'remember_me'
  | 'terms';
