import type { SettingError } from './setting-values.ts';

export type Mode = 'sandbox' | 'production';
export type Setting<T> = {
  readonly env: string;
  readonly read: (text: string) => T | SettingError;
  readonly fallback: Readonly<Record<Mode, T>>;
  readonly about: string;
  readonly secret?: boolean;
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
