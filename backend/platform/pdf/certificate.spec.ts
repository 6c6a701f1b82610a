import { X509Certificate } from 'node:crypto';
import { expect, it, jest } from '@jest/globals';
import { newCertificate } from './certificate.js';

it('is a valid certificate for every serial number', async () => {
  for (const first of [0x00, 0x7f, 0x80, 0xff]) {
    const drawn = jest.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => {
      (bytes as Uint8Array).fill(1)[0] = first;
      return bytes;
    });
    const { certificate } = await newCertificate('rende.app', new Date('2026-11-25T12:00:00Z'));
    drawn.mockRestore();
    expect(new X509Certificate(certificate).serialNumber).toHaveLength(32);
  }
});
