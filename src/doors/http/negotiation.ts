/** Whether an Accept header lets us answer in JSON. */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '' || accept === '*/*' || accept === 'application/json')
    return true;
  return accept.split(',').some((item) => {
    const [type = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase());
    const refused = parameters.some((parameter) => /^q=0(\.0{0,3})?$/.test(parameter));
    return !refused && (type === '*/*' || type === 'application/*' || type === 'application/json');
  });
}

export const mediaType = (contentType: string | undefined): string | undefined =>
  contentType?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
