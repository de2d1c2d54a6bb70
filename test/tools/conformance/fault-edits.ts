import type { Json } from '../../support/factories.ts';
import { type Answered, type Asked, editJson, type Misbehavior } from './faulty-proxy.ts';

/** A way not to conform, and the section that says so. */
export interface PlantedFault extends Misbehavior {
  readonly name: string;
  readonly source: string;
  /** The areas that are run to find it. */
  readonly only: readonly string[];
}

/** Drops a header of every response. */
export const drop =
  (name: string, where: RegExp = /./) =>
  (answered: Answered, { path }: Asked): void => {
    if (where.test(path)) delete answered.headers[name];
  };

/** Changes the JSON of the successful responses to some requests. */
export const change =
  (method: string, where: RegExp, edit: (body: Json) => void) =>
  (answered: Answered, asked: Asked): void => {
    if (asked.method === method && where.test(asked.path) && answered.status === 200)
      editJson(answered, edit);
  };

/** A room. */
export const ROOM = /^\/api\/v1\/rooms\/[0-9a-f-]{36}$/;
