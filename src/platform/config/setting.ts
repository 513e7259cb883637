import { type SettingError, word } from './setting-values.ts';

export type Mode = 'sandbox' | 'production';
/** A file or folder that a setting names: what a backup calls it, or why a backup leaves it out. */
export type NamedPath = { readonly kind: 'file' | 'folder' } & (
  | { readonly inBackup: string }
  | { readonly notInBackup: string }
);
export type Setting<T> = {
  readonly env: string;
  readonly read: (text: string) => T | SettingError;
  readonly fallback: Readonly<Record<Mode, T>>;
  readonly about: string;
  readonly secret?: boolean;
  readonly path?: NamedPath;
};

/** The same value in both modes, unless they are told apart. */
export function setting<T>(
  env: string,
  read: (text: string) => T | SettingError,
  fallback: T | Record<Mode, T>,
  about: string,
  secret = false,
): Setting<T> {
  const perMode =
    typeof fallback === 'object' && fallback !== null && 'sandbox' in fallback
      ? fallback
      : { sandbox: fallback, production: fallback };
  return { env, read, fallback: perMode, about, secret };
}

/** A setting that names a file or a folder, and says whether backups have it. */
export const pathSetting = <T extends string | undefined>(
  env: string,
  path: NamedPath,
  fallback: T,
  about: string,
): Setting<T | string> => ({ ...setting<T | string>(env, word, fallback, about), path });
