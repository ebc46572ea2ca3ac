// The parameters of `session_recall_unread`, as a model wrote them or as anybody else made them up.

import { types } from 'node:util';
import { LIMITS, MAX_OFFSET } from '../limits.ts';

/** Which part of what is found is wanted. */
export interface PageParameters {
  query: string;
  offset: number;
  limit: number;
}

/** The same for models, as JSON Schema. */
export const SCHEMA = {
  type: 'object',
  properties: {
    query: {
      type: 'string',
      maxLength: LIMITS.queryCharacters,
      description: 'What name, message or folder contain, in any case. Without it: every session found.',
    },
    offset: {
      type: 'integer',
      minimum: 0,
      maximum: MAX_OFFSET,
      description: 'Matching sessions to pass over: nextOffset of the page before. Default 0.',
    },
    limit: {
      type: 'integer',
      minimum: 1,
      maximum: LIMITS.toolItems,
      description: `Sessions on the page. Default ${LIMITS.toolItems}.`,
    },
  },
  additionalProperties: false,
};

/**
 * Reads the parameters without running any code of whoever made them: only own properties that are plain data count.
 *
 * @throws TypeError that says what is wrong
 */
export function pageParameters(given: unknown): PageParameters {
  const values = ownData(given);
  const { query = '', offset = 0, limit = LIMITS.toolItems } = values;
  if (typeof query !== 'string' || query.length > LIMITS.queryCharacters) {
    throw new TypeError(`query must contain 0-${LIMITS.queryCharacters} characters`);
  }
  if (query.includes('\0')) throw new TypeError('query must not contain NUL characters');
  return {
    query,
    offset: integer('offset', offset, 0, MAX_OFFSET),
    limit: integer('limit', limit, 1, LIMITS.toolItems),
  };
}

function ownData(given: unknown): Record<string, unknown> {
  // Asking a proxy anything would already run its code.
  if (typeof given !== 'object' || given === null || types.isProxy(given)) {
    throw new TypeError('parameters must be a plain object');
  }
  const prototype: unknown = Object.getPrototypeOf(given);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('parameters must be a plain object');
  const values: Record<string, unknown> = {};
  for (const key of Reflect.ownKeys(given)) {
    if (typeof key !== 'string' || !Object.hasOwn(SCHEMA.properties, key)) {
      throw new TypeError(`unknown parameter ${JSON.stringify(String(key).slice(0, 100))}; there are query, offset, limit`);
    }
    const property = Object.getOwnPropertyDescriptor(given, key);
    if (!property || !('value' in property)) throw new TypeError(`${key} must be plain data`);
    values[key] = property.value;
  }
  return values;
}

function integer(name: string, value: unknown, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) {
    throw new TypeError(`${name} must be an integer from ${min} to ${max}`);
  }
  // Without it a negative zero would be in the answer.
  return value + 0;
}
