import { Refused } from '../../../operations/refusal.ts';
import type { Language } from '../../html/layout.ts';
import { loginTexts } from './login-texts.ts';

/** What somebody is told whose proof was refused; any other failure is thrown on. */
export function refusedLogin(
  error: unknown,
  lang: Language,
  wrong: string,
): { readonly text: string; readonly status: number } {
  if (error instanceof Refused) {
    const [{ name, retryAfterSeconds = 60 }] = error.refusals;
    if (name === 'badCredentials') return { text: wrong, status: 401 };
    if (name === 'tooManyFailures')
      return { text: loginTexts(lang).tooMany(Math.ceil(retryAfterSeconds / 60)), status: 429 };
  }
  throw error;
}
