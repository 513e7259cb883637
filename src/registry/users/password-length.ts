export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

export const isPasswordLength = ({ length }: string): boolean =>
  length >= MIN_PASSWORD_LENGTH && length <= MAX_PASSWORD_LENGTH;
