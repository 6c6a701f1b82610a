import { TestEnvironment } from 'jest-environment-jsdom';

/** A page without a browser, with what React Router asks for beside what jsdom has. */
export default class SimulatedPage extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { TextDecoder, TextEncoder });
  }
}
