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
/** An official image to use instead of the program, if this variable names one. */
export const redisImage = process.env.RENDE_TEST_REDIS_IMAGE;
/** Prefers the headless shell, which needs about half the CPU time for the same pages. */
export const chromiumProgram =
  process.env.CHROMIUM_PATH ??
  findProgram('chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome');

/** A library that, when preloaded, gives a process its own clock. */
export const faketimeLibrary = readdirSync('/usr/lib')
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketimeMT.so.1`)
  .find((file) => existsSync(file));

/** A suite that needs a program. Without the program, it is skipped, with the reason in its name; in CI it fails. */
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
