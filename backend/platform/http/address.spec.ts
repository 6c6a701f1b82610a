import { describe, expect, it } from '@jest/globals';
import { addressKey, anonymousAddress, networkKey } from './address.js';

describe('the key by which a caller is counted', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:bbbb:0:0:2', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});

describe('the networks of an IPv6 address', () => {
  it.each([
    ['2001:db8:1:abcd::1', 56, '2001:db8:1:ab00::/56'],
    ['2001:db8:1:ab01::1', 56, '2001:db8:1:ab00::/56'],
    ['2001:db8:1:12::1', 56, '2001:db8:1:0::/56'],
    ['203.0.113.7', 56, '203.0.113.7'],
  ] as const)('of %s with %i bits is %s', (address, bits, key) => {
    expect(addressKey(address, bits)).toBe(key);
  });
});

describe('the network of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
    ['2001:db8:2::1', '2001:db8:2::/48'],
  ])('of %s is %s', (address, key) => {
    expect(networkKey(address)).toBe(key);
  });
});

describe('the anonymised form of an address', () => {
  it.each([
    ['203.0.113.7', '203.0.113.0'],
    ['::ffff:203.0.113.7', '203.0.113.0'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1::'],
    ['::1', '0:0:0::'],
    ['nonsense', null],
    [undefined, null],
  ])('of %s is %s', (address, kept) => {
    expect(anonymousAddress(address)).toBe(kept);
  });
});
