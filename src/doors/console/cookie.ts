/** Bound to this host and never sent in clear text; browsers treat loopback as secure. */
const NAME = '__Host-console';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax';
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

export const sessionCookie = (token: string): string => `${NAME}=${token}; ${ATTRIBUTES}`;

export const ENDED_COOKIE = `${NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/** Of a login that goes over the identity provider: only the browser that began it can end it. */
const STEP_NAME = '__Host-console-login';
const STEP_SECONDS = 300;
export const stepCookie = (token: string): string =>
  `${STEP_NAME}=${token}; ${ATTRIBUTES}; Max-Age=${STEP_SECONDS}`;
export const ENDED_STEP_COOKIE = `${STEP_NAME}=; ${ATTRIBUTES}; Max-Age=0`;

/** What takes the last change back; for as long as somebody may look at its notice. */
const UNDO_NAME = '__Host-console-undo';
const UNDO_SECONDS = 600;
/** Browsers keep 4,096 bytes of a cookie. */
const UNDO = /^[A-Za-z0-9_-]{1,4000}$/;
export const undoCookie = (text: string): string =>
  `${UNDO_NAME}=${Buffer.from(text).toString('base64url')}; ${ATTRIBUTES}; Max-Age=${UNDO_SECONDS}`;
export const undoOf = (header: string | undefined): string =>
  Buffer.from(cookieValue(UNDO_NAME, header, UNDO) ?? '', 'base64url').toString();

/** What decrypts the form that was sent when its login had expired. */
const FORM_NAME = '__Host-console-form';
const FORM_SECONDS = 3_600;
export const heldFormCookie = (token: string): string =>
  `${FORM_NAME}=${token}; ${ATTRIBUTES}; Max-Age=${FORM_SECONDS}`;
export const heldFormOf = (header: string | undefined): string | undefined => cookieValue(FORM_NAME, header);

/** The token of the session; undefined where there is none, or several. */
export const tokenOf = (header: string | undefined): string | undefined => cookieValue(NAME, header);
export const stepTokenOf = (header: string | undefined): string | undefined => cookieValue(STEP_NAME, header);

function cookieValue(cookie: string, header: string | undefined, pattern = TOKEN): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookie}=`))
    .map((pair) => pair.slice(cookie.length + 1));
  const [value, ...others] = values;
  return value !== undefined && others.length === 0 && pattern.test(value) ? value : undefined;
}
