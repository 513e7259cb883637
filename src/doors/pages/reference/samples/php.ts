import { joinedArguments, type LiteralSyntax, writeLiteral } from './literal.ts';
import type { Caller, SampleRequest } from './sample-request.ts';

const quoted = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const PHP: LiteralSyntax = {
  text: quoted,
  name: quoted,
  between: ' => ',
  words: { true: 'true', false: 'false', null: 'null' },
  object: ['[', ']'],
  // An empty array would become a list.
  emptyObject: 'new stdClass()',
  gap: '',
  indent: '    ',
};
const literal = (value: unknown): string => writeLiteral(value, PHP);

export function phpSetup({ user }: Caller, hasBasic: boolean): string {
  const password = user
    ? literal(`${user.username}:${user.password}`)
    : "getenv('API_USER') . ':' . getenv('API_PASSWORD')";
  const signIn = hasBasic
    ? `    curl_setopt($request, CURLOPT_USERPWD, ${password});`
    : "    $headers[] = 'Authorization: Bearer ' . getenv('API_TOKEN');";
  return `<?php

function registry(string $method, string $url, mixed $body = null, array $headers = []): string
{
    $request = curl_init($url);
${signIn}
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        curl_setopt($request, CURLOPT_POSTFIELDS, json_encode($body));
    }
    curl_setopt_array($request, [
        CURLOPT_CUSTOMREQUEST => $method,
        CURLOPT_HTTPHEADER => $headers,
        CURLOPT_RETURNTRANSFER => true,
    ]);
    $answer = curl_exec($request);
    if ($answer === false) {
        throw new RuntimeException(curl_error($request));
    }
    return $answer;
}`;
}

/** The call by PHP's own curl. */
export function phpSample({ method, url, headers, body, isDocument }: SampleRequest): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const hasHeaders = lines.length > 0;
  const texts = [
    literal(method),
    literal(url),
    ...(body !== undefined || hasHeaders ? [literal(body ?? null)] : []),
    ...(hasHeaders ? [literal(lines)] : []),
  ];
  const called = `$answer = registry(${joinedArguments(texts, '    ')});`;
  return `${called}\n${isDocument ? 'echo strlen($answer);' : 'print_r(json_decode($answer, true));'}`;
}
