// The words by which links that change something go: in addresses and as labels, by what they do.

/** What a link can do that reading must not. */
export type ActKind = 'sign out' | 'delete' | 'edit' | 'add to cart' | 'vote' | 'unsubscribe';

/**
 * Words in the spelling that `plainWord` gives: lower case, without blanks, marks and accents. First the words of frameworks and English,
 * then de fr es pt it nl sv da nb fi pl cs hu ro tr ru uk el ja zh ko ar he id vi. They are the labels of MediaWiki's, WordPress's and
 * phpBB's own translations of these commands.
 */
const WORDS: Readonly<Record<ActKind, string>> = {
  'sign out':
    'logout logoff signout signoff userlogout dologout ' +
    'abmelden ausloggen deconnexion sedeconnecter deconnecter cerrarsesion desconectar desconectarse terminarsessao encerrarsessao ' +
    'disconnetti disconnettiti uitloggen loggaut logud loggut kirjauduulos wyloguj wylogujsie odhlasit odhlasitse kijelentkezes ' +
    'deconectare cikisyap oturumukapat выйти вийти αποσυνδεση ログアウト サインアウト 退出登录 退出登錄 登出 注销 註銷 로그아웃 ' +
    'تسجيلالخروج התנתק התנתקות יציאהמהחשבון keluarakun dangxuat đangxuat çıkışyap',
  delete:
    'delete del destroy remove rm erase purge trash discard unlink kill terminate ' +
    'loschen loeschen entfernen supprimer effacer eliminar borrar suprimir excluir apagar remover elimina cancella rimuovi ' +
    'verwijder verwijderen radera tabort slet slett poista usun smazat odstranit torles torlese sterge sil удалить видалити διαγραφη ' +
    '削除 删除 刪除 삭제 حذف מחק מחיקה hapus xoa',
  edit:
    'edit ' +
    'bearbeiten andern aendern modifier editer editar modificar alterar modifica bewerken wijzigen redigera rediger redigere muokkaa edytuj ' +
    'upravit editovat szerkesztes editeaza duzenle изменить редактировать правка редагувати επεξεργασια 編集 编辑 編輯 편집 ' +
    'تعديل تحرير עריכה ערוך sunting ubah sua',
  'add to cart':
    'addtocart addtobasket addtobag addtowishlist addtocompare addproduct ' +
    'indenwarenkorb ajouteraupanier anadiralcarrito agregaralcarrito adicionaraocarrinho aggiungialcarrello inwinkelwagen ' +
    'inwinkelmand laggivarukorgen leggikurven leggihandlekurven lisaaostoskoriin dodajdokoszyka pridatdokosiku dokosiku kosarba adaugaincos ' +
    'sepeteekle вкорзину докошика προσθηκηστοκαλαθι カートに入れる 加入购物车 加入購物車 장바구니담기 أضفإلىالسلة הוסףלסל tambahkankekeranjang themvaogiohang',
  vote:
    'vote upvote downvote voteup votedown like unlike dislike ' +
    'abstimmen voter votar vota stemmen rosta stem stemme aanestaa glosuj hlasovat szavazas voteaza oyver голосовать проголосовать голосувати ' +
    'ψηφισε 投票 투표 تصويت הצבע pilih binhchon',
  unsubscribe:
    'unsubscribe unsub optout ' +
    'abbestellen desabonner sedesabonner cancelarsuscripcion darsedebaja cancelarinscricao annullaiscrizione disiscriviti uitschrijven ' +
    'avprenumerera afmeldnyhedsbrev meldavnyhetsbrev peruutatilaus wypiszsie odhlasitodber leiratkozas dezabonare aboneliktencik отписаться ' +
    'відписатися 配信停止 退订 取消訂閱 구독취소 إلغاءالاشتراك הסרהמרשימה berhentiberlangganan huydangky huyđangky',
};

/** Words that are an act as the value of a parameter for actions, or as a command on the thing whose number stands before them. */
const COMMANDS =
  'install uninstall activate deactivate enable disable approve unapprove reject accept decline ban unban block unblock publish unpublish ' +
  'restore lock unlock protect unprotect rollback revert undo watch unwatch follow unfollow subscribe join leave cancel confirm flag spam ' +
  'unspam merge reset resend markread markasread markpatrolled mcrundo mcrrestore toggle switch set add empty clear update upgrade ' +
  'untrash change modify mark unmark save draft submit undelete dodelete reply newreply quote bookmark unbookmark favorite unfavorite star unstar react report close reopen';

/** Commands on what a program stores, which name nothing else when a parameter that begins with them is switched on: `flush_privileges=1`. */
const UPKEEP = new Set('flush truncate optimize optimise defragment vacuum drop reindex rebuild repair'.split(' '));

/** Of all commands, the ones that also name pages below a number: `/releases/12/update` says what is new. */
const NAMES_OF_PAGES = new Set('update upgrade report add set confirm submit watch star close change drop repair'.split(' '));

const KINDS = new Map<string, ActKind>();
for (const kind of Object.keys(WORDS) as ActKind[]) for (const word of WORDS[kind].split(' ')) KINDS.set(plainWord(word), kind);
const COMMAND_WORDS = new Set(COMMANDS.split(' '));

/** What `word` does, in the spelling of `plainWord`; undefined for all words that do nothing by themselves. */
export function actOfWord(word: string): ActKind | undefined {
  return KINDS.get(word);
}

/** Whether `word` is a command where a command is expected. */
export function isCommand(word: string): boolean {
  return KINDS.has(word) || COMMAND_WORDS.has(word) || UPKEEP.has(word);
}

/** Whether `word` at the beginning of a parameter's name is what it does once it is switched on: it deletes, or sees to what is stored. */
export function isSwitchedCommand(word: string): boolean {
  return KINDS.get(word) === 'delete' || UPKEEP.has(word);
}

/** Whether `word` behind the number of a thing is a command on it, and names no page about it. */
export function isMemberCommand(word: string): boolean {
  return isCommand(word) && !NAMES_OF_PAGES.has(word);
}

/** A label or a part of an address in the spelling of the tables. */
export function plainWord(text: string): string {
  const plain = text.toLowerCase();
  return /^[a-z]*$/.test(plain)
    ? plain
    : plain
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]|[^\p{L}\p{N}\u3099\u309a]+/gu, '')
        .normalize('NFC');
}
