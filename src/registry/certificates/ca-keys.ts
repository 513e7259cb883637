import { createPrivateKey, type KeyObject } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Config, ConfigError } from '../../platform/config/config.ts';
import type { AuthorityKeys } from './authority-keys.ts';

type Settings = Pick<Config, 'home' | 'caFolder' | 'caKeyPassphrase'>;
type Named = { readonly fingerprint: string };

/** The private keys of our own CAs: files readable only by their owner, encrypted where a passphrase is set. */
export function caKeys({ home, caFolder, caKeyPassphrase: passphrase }: Settings) {
  const folder = caFolder ?? path.join(home, 'ca');
  const fileOf = ({ fingerprint }: Named) => path.join(folder, `${fingerprint.slice(0, 16)}.key`);
  const keep = async (authority: Named, key: KeyObject): Promise<void> => {
    const encryption = passphrase === undefined ? {} : { cipher: 'aes-256-cbc', passphrase };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const pem = key.export({ format: 'pem', type: 'pkcs8', ...encryption });
    await writeFile(fileOf(authority), pem, { mode: 0o600, flag: 'wx' });
  };
  return {
    fileOf,
    /** For what makes an authority: a key that it has kept is deleted if it fails. */
    async keepDuring<T>(work: (keys: Pick<AuthorityKeys, 'keep' | 'fileOf'>) => Promise<T>): Promise<T> {
      let kept: Named | undefined;
      const keepOne = async (authority: Named, key: KeyObject) => {
        await keep(authority, key);
        kept = authority;
      };
      return work({ keep: keepOne, fileOf }).catch(async (error: unknown) => {
        if (kept) await rm(fileOf(kept), { force: true });
        throw error;
      });
    },
    /** Undefined where the file does not exist. */
    async find(authority: Named): Promise<KeyObject | undefined> {
      const pem = await readFile(fileOf(authority), 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw new ConfigError(`The key ${fileOf(authority)} cannot be read (${error.code}).`);
      });
      if (pem === undefined) return undefined;
      try {
        return createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
      } catch {
        throw new ConfigError(
          `The key ${fileOf(authority)} cannot be opened; CA_KEY_PASSPHRASE must be the one that it was made with.`,
        );
      }
    },
  };
}
