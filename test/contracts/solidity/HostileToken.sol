// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";

/// @dev A payment token that keeps a part of each transfer, blocks a holder, or calls back into whoever is given.
contract HostileToken is ERC20("Hostile", "HOST") {
    uint256 public taxBps;
    address public target;
    bytes public callback;
    address public blocked;

    error Blocked(address holder);

    constructor(address holder) {
        _mint(holder, 1_000_000_000);
    }

    function setTax(uint256 bps) external {
        taxBps = bps;
    }

    function setCallback(address target_, bytes calldata callback_) external {
        (target, callback) = (target_, callback_);
    }

    function setBlocked(address holder) external {
        blocked = holder;
    }

    function _update(address from, address to, uint256 value) internal override {
        require(to != blocked || to == address(0), Blocked(to));
        super._update(from, to, value);
        if (taxBps > 0) super._update(to, address(0xdead), (value * taxBps) / 10_000);
        if (callback.length > 0) Address.functionCall(target, callback);
    }
}
