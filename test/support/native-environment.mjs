import { createRequire } from 'node:module';
import { TestEnvironment } from 'jest-environment-node';

/** An environment whose tests use modules that Node itself loads, once per worker (see native-modules.mjs). */
export default class NativeEnvironment extends TestEnvironment {
  constructor(...given) {
    super(...given);
    this.global.loadNatively = (address) => import(address);
    this.global.requireNatively = createRequire(import.meta.url);
    this.global.nativeGlobal = globalThis;
    // Values pass between tests and these modules, which check their classes and keep metadata about classes.
    for (const name of ['Date', 'Uint8Array', 'Reflect']) this.global[name] = globalThis[name];
  }
}
