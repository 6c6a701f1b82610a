-- Keys that hold a caller's whole address. From now on they hold its beginning and a fingerprint.
delete from rate_limits where key ~ '(\d+\.){3}\d+$|::/64$';
