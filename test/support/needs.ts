import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, test } from '@jest/globals';

/** The path of the first of these programs that this machine has. */
function findProgram(...names: string[]): string | undefined {
  return names
    .flatMap((name) =>
      (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name)),
    )
    .find((file) => {
      try {
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

export const redisProgram = findProgram('redis-server');
/** An official image that stands in for the program, where the run is told to take it. */
export const redisImage = process.env.RENDE_TEST_REDIS_IMAGE;
/** The headless shell first: the same pages in about half of the processor's time. */
export const chromiumProgram =
  process.env.CHROMIUM_PATH ??
  findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome');

/** What gives a process a clock of its own when it is preloaded. */
export const faketimeLibrary = readdirSync('/usr/lib')
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** A suite that needs a program: where it is missing, skipped by name, or failing when CI promised to have it. */
function describeWith(program: string | undefined, missing: string) {
  return (name: string, suite: () => void): void => {
    if (program) describe(name, suite);
    else if (process.env.CI === 'true') {
      test(`${name} (falta ${missing})`, () => {
        throw new Error(`${missing} is missing, and CI=true promises it`);
      });
    } else describe.skip(`${name} (falta ${missing})`, suite);
  };
}

export const describeWithRedis = describeWith(redisImage ?? redisProgram, 'redis-server');
export const describeWithChromium = describeWith(chromiumProgram, 'Chromium');
export const describeWithFaketime = describeWith(faketimeLibrary, 'libfaketime');
