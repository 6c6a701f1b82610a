import { TestEnvironment } from 'jest-environment-jsdom';

/** There is no other window. */
class OneWindow {
  postMessage() {}
  addEventListener() {}
}

/** A page without a browser, with what React Router and answers of a server ask for beside what jsdom has. */
export default class SimulatedPage extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { TextDecoder, TextEncoder, TextDecoderStream, ReadableStream });
    Object.assign(this.global, { Headers, Response, BroadcastChannel: OneWindow });
    Object.defineProperty(this.global.crypto, 'subtle', { value: crypto.subtle });
  }
}
