// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev Calls a contract with bytes that are inverted in its own input, so that nobody finds them there.
contract MaskingRelay {
    function run(address target, bytes calldata masked) external {
        bytes memory data = masked;
        for (uint256 i; i < data.length; i++) data[i] = ~data[i];
        (bool success, ) = target.call(data);
        require(success, "the call failed");
    }
}
