/** The client of the other examples: the sandbox, unless the environment says otherwise. */
import { Registry } from 'cadastre-sdk';

const {
  CADASTRE_URL = 'http://127.0.0.1:8080',
  CADASTRE_USERNAME = 'alpha',
  CADASTRE_PASSWORD = 'alpha-sandbox-password',
} = process.env;

export const connect = (username = CADASTRE_USERNAME, password = CADASTRE_PASSWORD): Registry =>
  new Registry({ baseUrl: CADASTRE_URL, username, password, userAgent: 'examples/1.0' });
