// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {TestUsdc} from "./TestUsdc.sol";

/// @notice USDC whose transfers emit further events before their own, and whose `transfer` may refuse without a revert.
contract LoudUsdc is TestUsdc {
    bool public refuses;

    event Noted(address indexed from, address indexed to, uint256 value);

    constructor(address owner_) TestUsdc("USD Coin", "USDC", 6, owner_) {}

    function refuse(bool refuses_) external onlyOwner {
        refuses = refuses_;
    }

    function transfer(address to, uint256 value) public override returns (bool) {
        return !refuses && super.transfer(to, value);
    }

    function _update(address from, address to, uint256 value) internal override {
        emit Noted(from, to, value);
        emit Approval(from, to, value);
        emit Transfer(from, address(this), 0);
        super._update(from, to, value);
    }
}

/// @notice Makes several calls in one transaction, and emits events that look like those of a token.
contract Bundler {
    event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
    event Transfer(address indexed from, address indexed to, uint256 value);

    function run(address target, bytes[] calldata calls) external {
        for (uint256 i; i < calls.length; i++) {
            (bool success, ) = target.call(calls[i]);
            require(success, "a call failed");
        }
    }

    function pretend(address from, address to, uint256 value, bytes32 nonce) external {
        emit AuthorizationUsed(from, nonce);
        emit Transfer(from, to, value);
    }
}
