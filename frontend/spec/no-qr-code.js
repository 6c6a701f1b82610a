// A browser draws QR Codes on a canvas, which the simulated page lacks; without one, the library computes each pixel for seconds.
export const toDataURL = () => Promise.resolve('data:image/png;base64,');
