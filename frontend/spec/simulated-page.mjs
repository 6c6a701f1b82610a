import { TestEnvironment } from 'jest-environment-jsdom';

/** There are no other windows. */
class OneWindow {
  postMessage() {}
  addEventListener() {}
}

/** A jsdom page with the globals that React Router and `Response` need and jsdom lacks. */
export default class SimulatedPage extends TestEnvironment {
  async setup() {
    await super.setup();
    Object.assign(this.global, { TextDecoder, TextEncoder, TextDecoderStream, ReadableStream });
    Object.assign(this.global, { Headers, Response, BroadcastChannel: OneWindow });
    Object.defineProperty(this.global.crypto, 'subtle', { value: crypto.subtle });
  }
}
